import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { changesOf } from './changelog.ts'
import { readManifest } from './manifest.ts'
import { root } from './paths.ts'

/** A release of GitHub, with the files of a folder. */
export interface Release {
  folder: string
  version: string
  /** Such as `https://github.com/owner/name`. */
  repository: string
}

const sumOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

const urlOf = ({ repository, version }: Release, file: string) => `${repository}/releases/download/v${version}/${file}`

/** A formula for a tap of Homebrew: `brew install owner/tap/mayfly`. */
export function formulaOf(release: Release): string {
  const { description, license } = readManifest(root) as { description?: string, license?: string }
  const file = (name: string) => `url "${urlOf(release, name)}"\n      sha256 "${sumOf(join(release.folder, name))}"`
  return `class Mayfly < Formula
  desc "${description!.replace(/\.$/, '').replace(/^A /, '')}"
  homepage "${release.repository}"
  version "${release.version}"
  license "${license}"

  on_macos do
    depends_on arch: :arm64
    on_arm do
      ${file('mayfly-darwin-arm64')}
    end
  end

  on_linux do
    on_intel do
      ${file('mayfly-linux-x64')}
    end
    on_arm do
      ${file('mayfly-linux-arm64')}
    end
  end

  def install
    bin.install Dir["mayfly-*"].first => "mayfly"
    (var/"mayfly").mkpath
    generate_completions_from_executable(bin/"mayfly", "completion", shells: [:bash, :zsh, :fish])
  end

  service do
    run [opt_bin/"mayfly", "serve", "--json"]
    keep_alive true
    working_dir var/"mayfly"
    environment_variables MAYFLY_DATABASE: var/"mayfly/mayfly.db"
    log_path var/"log/mayfly.log"
    error_log_path var/"log/mayfly.log"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/mayfly --version").strip
  end
end
`
}

/** A flake of Nix: `nix run`, in the folder of this file. */
export function flakeOf(release: Release): string {
  const systems = { 'x86_64-linux': 'linux-x64', 'aarch64-linux': 'linux-arm64', 'aarch64-darwin': 'darwin-arm64' }
  const files = Object.entries(systems).map(([system, name]) => {
    const file = `mayfly-${name}`
    return `        ${system} = {
          url = "${urlOf(release, file)}";
          hash = "sha256-${Buffer.from(sumOf(join(release.folder, file)), 'hex').toString('base64')}";
        };\n`
  })
  return `{
  description = "Mayfly ${release.version}, temporary email";
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";
  outputs = { self, nixpkgs }:
    let
      files = {
${files.join('')}      };
      packageFor = system: file:
        let pkgs = nixpkgs.legacyPackages.\${system};
        in pkgs.stdenv.mkDerivation {
          pname = "mayfly";
          version = "${release.version}";
          src = pkgs.fetchurl file;
          dontUnpack = true;
          dontStrip = true; # the program is in a note of the file
          nativeBuildInputs = pkgs.lib.optional pkgs.stdenv.isLinux pkgs.autoPatchelfHook;
          buildInputs = pkgs.lib.optional pkgs.stdenv.isLinux pkgs.stdenv.cc.cc.lib; # libstdc++ and libatomic
          installPhase = "install -D -m 755 $src $out/bin/mayfly";
          meta = { mainProgram = "mayfly"; license = pkgs.lib.licenses.mit; homepage = "${release.repository}"; };
        };
    in {
      packages = builtins.mapAttrs (system: file: { default = packageFor system file; }) files;
    };
}
`
}

/** The chart of Helm with the images of the repository, for `helm package`. */
function writeChart({ folder, repository }: Release): void {
  const chart = join(folder, 'chart')
  cpSync(join(root, 'packaging/helm/mayfly'), chart, { recursive: true })
  const values = readFileSync(join(chart, 'values.yaml'), 'utf8')
  const image = repository.replace('https://github.com/', 'ghcr.io/').toLowerCase()
  writeFileSync(join(chart, 'values.yaml'), values.replace(/^( {2}repository:) .*$/m, `$1 ${image}`))
}

/**
 * `npm run node -- build/release-files.ts FOLDER`, in a workflow of GitHub: adds to the executables of a release the files that name them,
 * the chart with the images of the repository, and the changes of the version.
 */
if (import.meta.url === pathToFileURL(process.argv[1]!).href) {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env
  const [, , folder] = process.argv
  if (!folder || !server || !name) throw new Error('npm run node -- build/release-files.ts FOLDER, with GITHUB_SERVER_URL and GITHUB_REPOSITORY')
  const release = { folder, version: readManifest(root).version, repository: `${server}/${name}` }
  writeFileSync(join(folder, 'mayfly.rb'), formulaOf(release))
  writeFileSync(join(folder, 'flake.nix'), flakeOf(release))
  writeFileSync(join(folder, 'notes.md'), changesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), release.version))
  writeChart(release)
}
