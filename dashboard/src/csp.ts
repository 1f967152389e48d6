/** The nonce with which the Content Security Policy of the page allows style elements, in this page and in the frames of mails. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
