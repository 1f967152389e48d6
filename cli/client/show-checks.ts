import type { CheckedLink, EmailChecks, UsedFeature } from '@mayfly-mail/sdk'
import { oneLine } from '../output.ts'

/** More are in `--json`. */
const maxShown = 10

/** A row for each check, then one for each feature and link that is not a pass. */
export function checkRows({ clients, images, size, text, unsubscribe, authentication, links }: EmailChecks): string[][] {
  return [
    ['clients', clients.result, clients.features.length === 0 ? '' : `${clients.features.length} features that some clients lack`],
    ...clients.features.slice(0, maxShown).map((feature) => ['', '', featureLine(feature)]),
    ['images', images.result, `${images.total}: ${images.remote} remote, ${images.missing} missing, ${images.withoutAlt} without alt, ${images.withoutSize} without size`],
    ['size', size.result, `${size.htmlBytes} of ${size.maxHtmlBytes} bytes of HTML`],
    ['text', text.result, text.hasText ? '' : 'no text part'],
    ['unsubscribe', unsubscribe.result, unsubscribe.isOneClick ? 'one-click' : unsubscribe.urls.join(' ')],
    ['authentication', authentication.result, `SPF ${authentication.spf ?? 'unknown'}, DKIM ${authentication.dkim ?? 'unknown'}, DMARC ${authentication.dmarc ?? 'unknown'}`],
    ['links', links.result, `${links.total}: ${links.insecure} with http, ${links.mismatched} with another host in their text`],
    ...links.links.filter(({ result }) => result !== 'pass').slice(0, maxShown).map((link) => ['', link.result, linkLine(link)]),
  ].map((row) => row.map(oneLine))
}

const featureLine = ({ id, partial, unsupported }: UsedFeature) => [
  `${id}:`, ...unsupported.length > 0 ? [`not in ${some(unsupported)}`] : [], ...partial.length > 0 ? [`in part in ${some(partial)}`] : [],
].join(' ')

const some = (clients: readonly string[]) => clients.length > 3 ? `${clients.slice(0, 3).join(', ')} and ${clients.length - 3} more` : clients.join(', ')

const linkLine = ({ url, status, error, namedHost }: CheckedLink) =>
  [url, status, error, namedHost && `names ${namedHost}`].filter(Boolean).join(' ')
