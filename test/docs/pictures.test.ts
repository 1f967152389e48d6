import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { blocksOf, root } from './page.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const readme = read('README.md')

// test/docs/pictures.ts and test/docs/recording.ts write them
describe('Pictures of the README', () => {
  it('exist and load fast: 200 kB for a picture of the dashboard, 300 kB for the recording', () => {
    const shown = [...readme.matchAll(/(?:\]\(|srcset="|src=")(docs\/pictures\/[^)"]+)/g)].map(([, path]) => path!)
    expect(shown).to.have.length(5)
    for (const path of shown) expect(statSync(join(root, path)).size, path).to.be.at.most(path.endsWith('.png') ? 200_000 : 300_000)
  })

  it('begin within the first screen', () => {
    expect(readme.slice(0, readme.indexOf('<picture>')).split('\n')).to.have.length.below(12)
  })

  it('record the commands of the README, and the code that it promises', () => {
    const texts = read('docs/pictures/first-mail.svg').replaceAll(/<[^>]*>/g, '\n').replaceAll('&amp;', '&')
    const commands = blocksOf('README.md', 'sh').flatMap(({ code }) => code.replaceAll(/ +#.*$/gm, '').trim().split('\n'))
    expect(commands).to.have.length.above(4)
    for (const command of commands.filter((line) => !line.startsWith('export '))) expect(texts).to.include(command)
    expect(texts).to.match(/inbox wait first\n+482913\n/)
  })

  it('have badges that agree with package.json', () => {
    const { license, engines } = JSON.parse(read('package.json')) as { license: string, engines: { node: string } }
    expect(read('docs/pictures/licence.svg')).to.include(`licence: ${license}`)
    expect(read('docs/pictures/node.svg')).to.include(`Node: ${engines.node.replace('>=', '')} or newer`)
  })
})
