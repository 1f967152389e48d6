import { ESLint, Linter } from 'eslint'
import tseslint from 'typescript-eslint'

/** Messages of `no-restricted-syntax`, as the project configures it, for code in a file. */
export async function problemsOf(code: string, file: string): Promise<string[]> {
  const { rules } = await new ESLint().calculateConfigForFile(file) as { rules: Linter.RulesRecord }
  const rule = { 'no-restricted-syntax': rules['no-restricted-syntax'] ?? 'off' }
  const problems = new Linter().verify(code, [{ languageOptions: { parser: tseslint.parser }, rules: rule }])
  return [...new Set(problems.map(({ message }) => message))]
}
