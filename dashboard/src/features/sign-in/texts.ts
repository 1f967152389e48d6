export const signInTexts = {
  title: 'Sign in to Mayfly',
  confirm: 'The link works once.',
  signIn: 'Sign in',
  another: 'Request another link',
  goOn: (email: string) => `Continue as ${email}`,
  request: 'A mail with a link signs you in. There is no password.',
  email: 'Email address',
  send: 'Send a link',
  sent: (email: string) => `If ${email} has an account, a mail with a link is on its way. The link works once and for 15 minutes.`,
  commandLine: 'On the server, the command “mayfly account sign-in EMAIL” prints such a link.',
} as const
