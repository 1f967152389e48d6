import { expect } from 'chai'
import { htmlText } from '../../cli/client/html-text.ts'
import { safeName } from '../../cli/client/save-file.ts'
import { manyLines, oneLine } from '../../cli/output.ts'

describe('CLI: untrusted text', () => {
  it('becomes a safe file name without a path, for any operating system', () => {
    const names: Record<string, string> = {
      'terms.txt': 'terms.txt',
      'naïve 文.txt': 'naïve 文.txt',
      '../../etc/passwd': 'passwd',
      '..\\..\\boot.ini': 'boot.ini',
      '..': 'attachment',
      '': 'attachment',
      '/': 'attachment',
      '.bashrc': 'bashrc',
      '. .x': 'x',
      '-rf': '_rf',
      '.--checkpoint-action=exec=x': '_-checkpoint-action=exec=x',
      'a\0b\x1b[2J\u202egpj.exe': 'ab[2Jgpj.exe',
      'a\r\nb': 'ab',
      'con': '_con',
      'NUL.txt': '_NUL.txt',
      'a:b?.txt': 'a_b_.txt',
      'dots... ': 'dots',
      '\ud800.txt': '\ufffd.txt',
      [`${'x'.repeat(300)}.pdf`]: `${'x'.repeat(196)}.pdf`,
      [`${'文'.repeat(100)}.pdf`]: `${'文'.repeat(65)}.pdf`,
      [`x.${'y'.repeat(300)}`]: `x.${'y'.repeat(198)}`,
    }
    for (const [name, safe] of Object.entries(names)) expect(safeName(name), JSON.stringify(name)).to.equal(safe)
  })

  it('becomes one line or several, without terminal control characters', () => {
    const text = 'a\x1b[31mb\x07\r\nc\td\u009b1me\u202ef\ud800'
    expect(oneLine(text)).to.equal('a [31mb c d 1me f\ufffd')
    expect(manyLines(text)).to.equal('a[31mb\nc\td1mef\ufffd')
    expect(manyLines('a\u061cb\u200ec\u200fd\u2028e\u2029f\u2066g\u2069h\u200di')).to.equal('abcdefgh\u200di')
  })

  it('becomes text when it is HTML', () => {
    expect(htmlText('<title>x</title><style>p{}</style><h1>Hi&nbsp;there</h1><p>Your   code\n is <b>482913</b>.</p><ul><li>one<li>two</ul>'
      + '<table><tr><td>a</td><td>b</td></tr></table><script>alert(1)</script>end<br>of it'))
      .to.equal('Hi there\n\nYour code is 482913.\n\n- one\n- two\n\na b\n\nend\nof it')
    expect(htmlText('<script>never closed')).to.equal('')
    expect(htmlText('no tags &lt;b&gt;')).to.equal('no tags <b>')
  })

  it('is read at any depth of nested elements', () => {
    const times = 500_000
    expect(htmlText('<b>a'.repeat(times))).to.equal('a'.repeat(times))
    expect(htmlText(`${'<div>'.repeat(times)}deep${'</div>'.repeat(times)}`)).to.equal('deep')
  })
})
