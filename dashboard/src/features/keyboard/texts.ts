export const keyboardTexts = {
  title: 'Keys',
  or: 'or',
  then: 'then',
  palette: {
    title: 'Command palette',
    input: 'Command, page, address or mail',
    placeholder: 'Type a command, a page, an address, or words of a mail',
    none: 'Nothing has this name, and no mail has these words.',
    noSubject: '(no subject)',
    groups: { actions: 'Commands', pages: 'Pages', addresses: 'Addresses', mails: 'Mails' },
    actions: {
      newAddress: 'Create an address',
      copyCode: 'Copy the last code',
      toTest: 'Show test data',
      toLive: 'Leave test data',
      density: 'Change the height of rows',
    },
  },
} as const
