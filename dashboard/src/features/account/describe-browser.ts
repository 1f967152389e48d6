import { accountTexts as texts } from './texts.ts'

/** The first pattern that matches names the browser: most browsers name others too, for the sake of old pages. */
const browsers: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
]
const systems: [RegExp, string][] = [
  [/\b(iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** The browser of a User-Agent header in words: `Firefox on Linux`. */
export function describeBrowser(userAgent: string | null): string {
  const browser = nameIn(browsers, userAgent)
  const system = nameIn(systems, userAgent)
  return browser && system ? texts.browserOn(browser, system) : browser ?? system ?? texts.unknownBrowser
}

const nameIn = (names: [RegExp, string][], userAgent: string | null) => names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
