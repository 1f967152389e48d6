export const keyboardTexts = { title: 'Keys', or: 'or', then: 'then' } as const
