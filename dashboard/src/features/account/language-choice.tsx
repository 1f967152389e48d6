import { languages } from '../../language.ts'
import field from '../../ui/field.module.css'
import { storedValue } from '../../ui/stored-value.ts'
import { accountTexts } from './texts.ts'

const texts = accountTexts.language

/** `early.ts` reads it. */
const chosen = storedValue('mayfly-language', '', (value) => typeof value === 'string')

/** The language of the pages in this browser. Texts are read once, so the page is loaded again. */
export const LanguageChoice = () => (
  <select
    className={field['field']} aria-label={texts.label} value={chosen.use()}
    onChange={({ currentTarget }) => {
      chosen.write(currentTarget.value)
      location.reload()
    }}
  >
    <option value="">{texts.browser}</option>
    {Object.entries(languages).map(([language, name]) => <option key={language} value={language} lang={language}>{name}</option>)}
  </select>
)
