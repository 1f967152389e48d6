// @ts-check
// Runs in the browser, after Swagger UI: shows the reference in the element with the id "reference".

/** @typedef {{ title: string, language: string, code: string }} Sample */

const element = /** @type {HTMLElement} */ (document.getElementById('reference'))
const dark = matchMedia('(prefers-color-scheme: dark)')

followColorScheme()
dark.addEventListener('change', followColorScheme)

// @ts-expect-error: a global of Swagger UI
SwaggerUIBundle({
  domNode: element,
  url: element.dataset['document'],
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  requestSnippetsEnabled: true,
  requestSnippets: { generators: { curl_bash: { title: 'curl', syntax: 'bash' } }, defaultExpanded: true, languages: ['curl_bash'] },
  showCommonExtensions: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  // the document of the page describes the answer
  requestInterceptor: (/** @type {{ url: string, headers: Record<string, string> }} */ request) => {
    if (new URL(request.url, location.href).pathname.includes('/api/v1/')) request.headers['X-Mayfly-Dialect'] ??= element.dataset['dialect'] ?? 'primary'
    return request
  },
  plugins: [searchOperations, showSamples, showGuide, hideServers],
})

function followColorScheme() {
  document.documentElement.classList.toggle('dark-mode', dark.matches)
}

/** Filters operations by all words, in tag, id, method, path, summary and description. */
function searchOperations() {
  /** @param {any} tags @param {string} phrase */
  const opsFilter = (tags, phrase) => {
    const words = phrase.toLowerCase().split(/\s+/)
    /** @param {any} entry @param {string} tag */
    const isFound = (entry, tag) => {
      const operation = entry.get('operation')
      const text = [tag, entry.get('method'), entry.get('path'), ...['operationId', 'summary', 'description'].map((name) => operation.get(name))]
        .join(' ').toLowerCase()
      return words.every((word) => text.includes(word))
    }
    return tags
      .map((/** @type {any} */ tag, /** @type {string} */ name) =>
        tag.set('operations', tag.get('operations').filter((/** @type {any} */ entry) => isFound(entry, name))))
      .filter((/** @type {any} */ tag) => tag.get('operations').size > 0)
  }
  return { fn: { opsFilter } }
}

/** Shows the samples of an operation above its answers. */
function showSamples() {
  const base = new URL('.', location.href).href.replace(/\/$/, '')
  /** @param {any} Original @param {any} system */
  const responses = (Original, { React, getComponent }) => (/** @type {any} */ props) => {
    const HighlightCode = getComponent('HighlightCode', true)
    const { path, method, specSelectors } = props
    /** @type {Sample[]} */
    const samples = specSelectors.specJson().getIn(['paths', path, method, 'x-samples'])?.toJS() ?? []
    return React.createElement(React.Fragment, null,
      samples.map(({ title, language, code }) => React.createElement('section', { key: title, className: 'sample', 'aria-label': `Sample: ${title}` },
        React.createElement('div', { className: 'opblock-section-header' }, React.createElement('h4', null, title)),
        React.createElement(HighlightCode, { language, canCopy: true, children: code.replaceAll('$MAYFLY_BASE_URL', base) }))),
      React.createElement(Original, props))
  }
  return { wrapComponents: { responses } }
}

/** Folds the chapters of the document below its summary, so that the operations are near, and links the document itself. */
function showGuide() {
  /** @param {any} Original @param {any} system */
  const InfoContainer = (Original, { React, getComponent, specSelectors }) => (/** @type {any} */ props) => {
    const Markdown = getComponent('Markdown', true)
    return React.createElement(React.Fragment, null,
      React.createElement(Original, props),
      React.createElement('details', { className: 'guide' },
        React.createElement('summary', null, element.dataset['dialect'] === 'classic' ? 'Guide: requests and answers, errors' : 'Guide: authentication, pagination, errors, limits, test mode'),
        React.createElement(Markdown, { source: specSelectors.specJson().get('x-guide') })))
  }
  /** @param {any} _ @param {any} system */
  const InfoUrl = (_, { React }) => () => React.createElement('a', { className: 'link', href: element.dataset['source'] }, element.dataset['source'])
  return { wrapComponents: { InfoContainer, InfoUrl } }
}

/** The page calls its own server alone. */
function hideServers() {
  return { wrapComponents: { ServersContainer: () => () => null } }
}
