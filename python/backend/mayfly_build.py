"""
Builds the wheel and the source distribution with the standard library alone (PEP 517), so that a machine without a network can, and the
same sources always give the same bytes. `SOURCE_DATE_EPOCH` is the time of the files in them, in seconds since 1970.
"""

from __future__ import annotations

import base64
import csv
import gzip
import hashlib
import io
import os
import re
import tarfile
import time
import zipfile
from pathlib import Path
from typing import Any

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

root = Path(__file__).resolve().parent.parent
min_epoch = 315_532_800
"""1980, the earliest time of a zip file."""


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    name, version = _stem()
    info = f'{name}-{version}.dist-info'
    files = {path.relative_to(root / 'src').as_posix(): path.read_bytes() for path in _sources()}
    files[f'{info}/licenses/LICENSE'] = (root / 'LICENSE').read_bytes()
    files[f'{info}/METADATA'] = _metadata().encode()
    files[f'{info}/WHEEL'] = b'Wheel-Version: 1.0\nGenerator: mayfly\nRoot-Is-Purelib: true\nTag: py3-none-any\n'
    files[f'{info}/entry_points.txt'] = _entry_points().encode()
    files[f'{info}/RECORD'] = _record(files, f'{info}/RECORD')
    wheel = f'{name}-{version}-py3-none-any.whl'
    with zipfile.ZipFile(Path(wheel_directory) / wheel, 'w') as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, time.gmtime(_epoch())[:6])
            entry.external_attr = 0o100644 << 16
            entry.create_system = 3
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return wheel


def build_sdist(sdist_directory: str, config_settings: Any = None) -> str:
    name, version = _stem()
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in _sources()}
    for path in ('LICENSE', 'README.md', 'backend/mayfly_build.py', 'pyproject.toml'):
        files[path] = (root / path).read_bytes()
    files['PKG-INFO'] = _metadata().encode()
    sdist = f'{name}-{version}.tar.gz'
    target = Path(sdist_directory) / sdist
    with target.open('wb') as raw, gzip.GzipFile('', 'wb', fileobj=raw, mtime=_epoch()) as zipped:
        with tarfile.open(fileobj=zipped, mode='w', format=tarfile.PAX_FORMAT) as archive:
            for path, content in files.items():
                entry = tarfile.TarInfo(f'{name}-{version}/{path}')
                entry.size, entry.mtime, entry.mode = len(content), _epoch(), 0o644
                archive.addfile(entry, io.BytesIO(content))
    return sdist


def _sources() -> list[Path]:
    files = (path for path in (root / 'src').rglob('*') if path.suffix == '.py' or path.name == 'py.typed')
    return sorted(files, key=lambda path: path.as_posix())


def _project() -> dict[str, Any]:
    return tomllib.loads((root / 'pyproject.toml').read_text('utf-8'))['project']


def _stem() -> tuple[str, str]:
    return _project()['name'].replace('-', '_'), _version()


def _version() -> str:
    """That of package.json, from which `npm run generate` writes this file."""
    text = (root / 'src/mayfly/_generated/version.py').read_text('utf-8')
    found = re.search(r"^version = '(.+)'$", text, re.MULTILINE)
    if not found:
        raise ValueError('version.py has no version; run: npm run generate')
    return found[1]


def _metadata() -> str:
    project = _project()
    fields = [
        ('Metadata-Version', '2.4'), ('Name', project['name']), ('Version', _version()), ('Summary', project['description']),
        ('License-Expression', project['license']), ('License-File', 'LICENSE'), ('Requires-Python', project['requires-python']),
        ('Keywords', ','.join(project['keywords'])), *(('Classifier', value) for value in project['classifiers']),
        ('Description-Content-Type', 'text/markdown'),
    ]
    lines = ''.join(f'{name}: {value}\n' for name, value in fields)
    return f'{lines}\n{(root / "README.md").read_text("utf-8")}'


def _entry_points() -> str:
    groups = _project()['entry-points'].items()
    return '\n'.join(f'[{group}]\n' + ''.join(f'{name} = {value}\n' for name, value in entries.items()) for group, entries in groups)


def _record(files: dict[str, bytes], own_path: str) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator='\n')
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()
        writer.writerow((path, f'sha256={digest}', len(content)))
    writer.writerow((own_path, '', ''))
    return text.getvalue().encode()


def _epoch() -> int:
    return max(min_epoch, int(os.environ.get('SOURCE_DATE_EPOCH', min_epoch)))
