import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { createTransport } from 'nodemailer'
import { frameworks } from '../../dashboard/src/features/smtp/frameworks.ts'
import type { AddressCreated } from '../../server/contract/types.gen.ts'
import { openTestApp } from '../support/app.ts'
import { blocksOf } from '../docs/page.ts'

const page = 'docs/frameworks.md'
const codeOf = (language: string) => blocksOf(page, language).map(({ code }) => code.trimEnd())

/** Of the page, by the language of its blocks. */
const settings: Record<string, string> = {
  'nodemailer': 'js', 'Django': 'py', 'Rails': 'ruby', 'Laravel': 'ini', 'PHPMailer': 'php', 'Symfony': 'ini', 'Spring Boot': 'ini',
  'ASP.NET (MailKit)': 'csharp', 'Go (go-mail)': 'go', 'Phoenix (Swoosh)': 'elixir',
}

describe('Pages: settings of frameworks', () => {
  const login = { username: 'app@mail.localhost', password: 'PASSWORD', host: 'localhost', port: 2525, security: 'none' as const }
  for (const [name, language] of Object.entries(settings)) {
    it(`of ${name} are those of the dashboard`, () => {
      expect(codeOf(language)).to.include(frameworks[name]!.settings(login))
    })
  }

  it('leave out only those that the page names', () => {
    const others = Object.keys(frameworks).filter((name) => !(name in settings))
    expect(others).to.deep.equal(['Keycloak', 'GitLab', 'Variables (SMTP_*)'])
  })
})

interface Language {
  file: string
  command: string[]
  /** The test framework that the wait of the page is written for, in a few lines. */
  toProgram: (code: string) => string
}

const languages: Record<string, Language> = {
  ruby: {
    file: 'wait.rb', command: ['ruby'],
    toProgram: (code) => `require 'net/http'\nrequire 'json'\ndef assert_equal(a, b) = (raise b.to_s unless a == b)\n${code}`,
  },
  php: {
    file: 'wait.php', command: ['php'],
    toProgram: (code) => `<?php (new class {\nfunction assertSame($a, $b) { if ($a !== $b) throw new Exception($b); }\nfunction run() {\n${code}\n} })->run();`,
  },
  java: {
    file: 'Wait.java', command: ['java'],
    toProgram: (code) => `import java.net.*;\nimport java.net.http.*;\nclass Wait {
record Text(String text) { void contains(String part) { if (!text.contains(part)) throw new IllegalStateException(text); } }
static Text assertThat(String text) { return new Text(text); }
public static void main(String[] args) throws Exception {\n${code}\n} }`,
  },
  go: {
    file: 'wait.go', command: ['go', 'run'],
    toProgram: (code) => `package main\nimport ("encoding/json"; "fmt"; "net/http"; "os")\ntype test struct{}
func (test) Fatal(values ...any) { fmt.Println(values...); os.Exit(1) }\nfunc main() {\nt := test{}\n${code}\n}`,
  },
}

describe('Pages: the wait of a test, in other languages', () => {
  let folder: string
  beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-test-')) })
  afterEach(() => rm(folder, { recursive: true }))

  for (const [language, { file, command: [program, ...args], toProgram }] of Object.entries(languages)) {
    const isInstalled = spawnSync(program!, [language === 'go' ? 'version' : '--version']).status === 0
    const run = isInstalled ? it : it.skip
    run(`in ${language} reads the code of the mail to its recipient`, async () => {
      await using app = await openTestApp({ isRealTime: true })
      const { id, cursor, smtp } = await app.newAddress({ smtpLogin: true }) as unknown as AddressCreated
      for (const [to, code] of [['eve@example.com', '111111'], ['ada-17@example.com', '482913']]) {
        await createTransport(smtp!.url).sendMail({ from: 'shop@example.org', to, subject: 'Welcome', text: `Your code is ${code}.` })
      }
      await writeFile(join(folder, file), toProgram(codeOf(language).find((code) => code.includes('WAIT_URL'))!))
      const WAIT_URL = `${app.url}/api/v1/emails/wait?timeout=30&address_id=${id}&after=${cursor}&to=`
      await promisify(execFile)(program!, [...args, file], { cwd: folder, env: { ...process.env, WAIT_URL, MAYFLY_API_KEY: app.key } })
    })
  }
})
