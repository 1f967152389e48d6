await import('./mailbox-one.ts')
