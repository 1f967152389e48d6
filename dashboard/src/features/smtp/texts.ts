import { byName, translated } from '../../language.ts'

/** The texts of the SMTP login of an address. */
export const smtpTexts = translated('smtpTexts', {
  title: 'SMTP login',
  label: 'Actions',
  close: 'Close the SMTP login',
  hint: 'An app that logs in with it can send mail to anyone: all of it arrives in this address, and none leaves this server.',
  none: 'This address has no SMTP login.',
  notReceiving: 'This address receives no mail any more, so it cannot have a login.',
  create: 'Create SMTP login',
  replace: 'Replace SMTP login',
  end: 'End SMTP login',
  once: 'Copy the password now: it is not shown again.',
  missing: 'The answer with the password was lost. Replace the login to get another one.',
  hidden: 'Shown once, when the login was made',
  facts: {
    username: 'User name', host: 'Host', port: 'Port', security: 'Encryption', password: 'Password', lastLogin: 'Last login', url: 'URL',
    never: 'Never',
  },
  copy: { username: 'Copy the user name', password: 'Copy the password', host: 'Copy the host', port: 'Copy the port', url: 'Copy the URL' },
  security: byName({ none: 'None', starttls: 'STARTTLS', tls: 'TLS from the first byte' }),
  settings: {
    title: 'Settings of your app',
    framework: 'Framework',
    file: (name: string) => `For ${name}:`,
    copy: 'Copy the settings',
    placeholder: 'PASSWORD',
    placeholderHint: 'PASSWORD stands for the password.',
  },
  replacing: {
    title: 'Replace this SMTP login?',
    text: 'The old password ends with its next command. Apps that have it need the new one.',
  },
  ending: {
    title: 'End this SMTP login?',
    text: 'Apps that have its password can send no more mail. The mail of the address stays.',
    done: 'The SMTP login has ended.',
  },
  done: 'Done',
})
