import { ESLint, Linter } from 'eslint'
import tseslint from 'typescript-eslint'

/** Messages of a rule, as the project configures it, for code in a file. */
export async function problemsOf(code: string, file: string, name = 'no-restricted-syntax'): Promise<string[]> {
  const { rules } = await new ESLint().calculateConfigForFile(file) as { rules: Linter.RulesRecord }
  const rule = { [name]: rules[name] ?? 'off' }
  const problems = new Linter().verify(code, [{ languageOptions: { parser: tseslint.parser }, rules: rule }])
  return [...new Set(problems.map(({ message }) => message))]
}
