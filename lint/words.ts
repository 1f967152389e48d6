import { basename } from 'node:path'
import ts from 'typescript'
import type { BannedWord, BannedWords } from './banned-words.ts'

export interface Finding {
  /** From 1 on. */
  line: number
  /** The text or the name that has the word. */
  text: string
  banned: BannedWord
}

/** Finds banned words in the comments, the titles of tests and the declared names of a file, and in the file's own name. */
export function findBannedWords(path: string, source: string, { text: textWords, names: nameWords }: BannedWords): Finding[] {
  const isPython = path.endsWith('.py')
  const file = ts.createSourceFile(path, isPython ? '' : source, ts.ScriptTarget.Latest, true)
  const findings: Finding[] = []
  checkName(camelCase(basename(path)), 0)
  for (const { text, position } of isPython ? commentsOfPython(source) : commentsOf(file)) {
    for (const sentence of sentencesOf(withoutCode(text))) checkText(sentence, position)
  }
  if (isPython) for (const { text, position } of namesOfPython(source)) checkName(camelCase(text), position)
  else visit(file)
  return findings.sort((a, b) => a.line - b.line)

  function visit(node: ts.Node) {
    const name = declaredName(node)
    if (name) checkName(name.text, name.getStart(file))
    const title = testTitle(node)
    if (title) for (const sentence of sentencesOf(withoutCode(title.text))) checkText(sentence, title.position)
    ts.forEachChild(node, visit)
  }

  function checkText(sentence: string, position: number) {
    const isQuestion = sentence.endsWith('?')
    for (const banned of textWords) {
      if (banned.pattern.test(sentence) && !(isQuestion && banned.word.startsWith('^'))) add(position, sentence, banned)
    }
  }

  function checkName(name: string, position: number) {
    const banned = nameWords.find(({ pattern }) => pattern.test(name))
    if (banned) add(position, name, banned)
  }

  function add(position: number, text: string, banned: BannedWord) {
    findings.push({ line: source.slice(0, position).split('\n').length, text, banned })
  }
}

const isDocNode = ({ kind }: ts.Node) => kind >= ts.SyntaxKind.FirstJSDocNode && kind <= ts.SyntaxKind.LastJSDocNode

interface Comment {
  text: string
  position: number
}

/** The comments of a file. Line comments below one another are one text. */
function commentsOf(file: ts.SourceFile): Comment[] {
  const ranges = new Map<number, ts.CommentRange>()
  const collect = (node: ts.Node) => {
    for (const range of ts.getLeadingCommentRanges(file.text, node.pos) ?? []) ranges.set(range.pos, range)
    for (const range of ts.getTrailingCommentRanges(file.text, node.end) ?? []) ranges.set(range.pos, range)
    for (const child of node.getChildren(file)) if (!isDocNode(child)) collect(child)
  }
  collect(file)
  const comments: Comment[] = []
  let end = -1
  for (const { kind, pos, end: rangeEnd } of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const text = file.text.slice(pos, rangeEnd)
    const last = comments.at(-1)
    if (kind === ts.SyntaxKind.SingleLineCommentTrivia && last && end >= 0 && /^\n[ \t]*$/.test(file.text.slice(end, pos))) {
      last.text += ` ${text.slice(2).trim()}`
    } else {
      comments.push({ text: kind === ts.SyntaxKind.SingleLineCommentTrivia ? text.slice(2) : docText(text), position: pos })
    }
    end = kind === ts.SyntaxKind.SingleLineCommentTrivia ? rangeEnd : -1
  }
  return comments
}

/** The comments of Python, and its docstrings without their examples; each field begins a sentence. */
function commentsOfPython(source: string): Comment[] {
  const found = source.matchAll(/^[ \t]*(?:[rf]?"""(?<doc>[^]*?)"""|# ?(?<line>.*))|  # (?<end>.*)$/gm)
  return [...found].map(({ groups, index }) => {
    const { doc, line, end } = groups!
    const text = doc?.replace(/^\s*(?:\.\. code-block|>>>|::)[^]*/m, '').replace(/\.?\s:(?:(?:param|raises) [\w.]+|\w+):/g, '.\n')
    return { text: text ?? line ?? end!, position: index }
  })
}

/** The names that Python declares: functions, classes, and variables with a type or a value at the beginning of a line. */
const namesOfPython = (source: string): Comment[] =>
  [...source.matchAll(/^[ \t]*(?:(?:async )?def |class )?(\w+)(?=\(|: \w|:$| = )/gm)].map(({ 1: text, index }) => ({ text: text!, position: index }))

/** The text of a block comment, without its stars and its examples; each tag begins a sentence. */
function docText(comment: string): string {
  return comment.slice(2, -2).replace(/^\s*\* ?/gm, '').replace(/^\*/, '')
    .replace(/^@example\n[^]*?(?=^@|$(?![^]))/gm, '')
    .replace(/\.?\s@(?:(?:param|throws) [\w.]+|\w+)/g, '.\n')
    .replace(/^\s*-\s/gm, '.\n')
}

/** Replaces code, addresses and URLs, which may have banned words. */
const withoutCode = (text: string) => text.replace(/`[^`]*`|\$\{[^}]*\}|\S+@\S+|\w+:\/\/\S+|[\w-]+-[\w-]*\d[\w-]*/g, '…')

const sentencesOf = (text: string) => text.replace(/\s+/g, ' ').split(/(?<=[.!?;])\s+/).map((sentence) => sentence.trim())

const testFunctions = new Set(['describe', 'it', 'test', 'before', 'after'])

/** The title of a `describe` or an `it`, also of `it.skip` and the like. */
function testTitle(node: ts.Node): Comment | undefined {
  if (!ts.isCallExpression(node)) return undefined
  const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.expression : node.expression
  const [title] = node.arguments
  if (!title || !ts.isIdentifier(callee) || !testFunctions.has(callee.text)) return undefined
  if (!ts.isStringLiteralLike(title) && !ts.isTemplateExpression(title)) return undefined
  return { text: title.getText().slice(1, -1), position: title.getStart() }
}

/** The name that a node declares. Names in patterns belong to the declaration of the member, unless they give it another one. */
function declaredName(node: ts.Node): ts.Identifier | undefined {
  if (ts.isBindingElement(node)) {
    const isOwn = node.propertyName !== undefined || ts.isArrayBindingPattern(node.parent)
    return isOwn && ts.isIdentifier(node.name) ? node.name : undefined
  }
  const declares = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isFunctionLike(node) || ts.isClassLike(node)
    || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)
  const { name } = node as { name?: ts.Node }
  return declares && name && ts.isIdentifier(name) ? name : undefined
}

/** `read-content.ts` and `_read_content.py` → `readContent` */
const camelCase = (fileName: string) => fileName.replace(/\..*$/, '').replace(/^_+/, '').replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())
