import { translated } from '../../language.ts'

export const signInTexts = translated('signInTexts', {
  title: 'Sign in to Mayfly',
  confirm: 'The link works once.',
  signIn: 'Sign in',
  notKept: 'The browser did not keep the session. Allow cookies of this site. If the MAYFLY_BASE_URL of the server begins with https, ' +
    'open the dashboard there, since its cookie is refused over http.',
  another: 'Request another link',
  replaces: (email: string) => `You are signed in as ${email}. The link may be of another account: signing in replaces your session.`,
  goOn: (email: string) => `Continue as ${email}`,
  request: 'A mail with a link signs you in. There is no password.',
  email: 'Email address',
  send: 'Send a link',
  byProvider: (host: string) => `Sign in with ${host}`,
  sent: (email: string) => `If ${email} has an account, a mail with a link is on its way. The link works once and for 15 minutes.`,
  commandLine: 'No mail comes from a server that keeps its mail (MAYFLY_OUTBOUND=capture, the default), nor to an address of the server itself. ' +
    'On the server, the command “mayfly account sign-in EMAIL” prints a link.',
})
