import { LocalizedStringDictionary, LocalizedStringFormatter } from '@internationalized/string'

/** The languages of the pages, each with its own name. `early.ts` chooses one, and loads the texts of those other than English. */
export const languages = { en: 'English', de: 'Deutsch' }

/** That of the page: the choice of the user, else the first of the browser's that the pages have. */
const language = document.documentElement.lang

/**
 * The locale of numbers, dates and times: the browser's first one of the page's language, such as `de-AT`. Values that `Intl` refuses, such
 * as `en-US@posix`, are skipped.
 */
export const locale = navigator.languages.find((each) => /^[\w-]+$/.test(each) && each.split('-')[0] === language) ?? language

/** How texts show numbers. */
export interface Format {
  number(value: number): string
  /** The form for a number of things; every language of the pages has these two. */
  plural(count: number, forms: { one: string, other: string }): string
}

declare global {
  interface Window {
    /** Makes the texts of another language than English, by their names; undefined where they did not load. */
    translation?: Promise<((format: Format) => Record<string, object>) | undefined>
  }
}

class Formatter extends LocalizedStringFormatter implements Format {
  override number(value: number) {
    return super.number(value)
  }

  override plural(count: number, forms: { one: string, other: string }) {
    return super.plural(count, forms)
  }
}

const formatter = new Formatter(locale, new LocalizedStringDictionary({}))
export const number = (value: number): string => formatter.number(value)
export const plural = (count: number, forms: { one: string, other: string }): string => formatter.plural(count, forms)

/** The texts of another language by name; undefined for English. */
const texts = (await window.translation)?.({ number, plural })

/** The texts in the language of the page. @param name of the constant, in `texts.ts` @param english those of `texts.ts` */
export const translated = <Texts extends object>(name: string, english: Texts): Texts => texts?.[name] as Texts | undefined ?? english

/** Texts by names of the API, of which a later server may have more. */
export const byName = (texts: Record<string, string>): Record<string, string> => texts
