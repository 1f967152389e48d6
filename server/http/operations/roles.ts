import type { MemberOfCall } from '../../context.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { missingScope } from '../../errors.ts'
import { roles } from '../../store/schema/values.ts'
import type { Role } from '../../store/schema/values.ts'

/**
 * The role that a session needs in its account for each operation: a viewer reads, and ends the own sessions; a member uses the service; an
 * owner decides on access, by members and keys. A new operation does not compile without one. Keys have scopes in place of a role.
 */
const roleOf: Record<OperationId, Role> = {
  'addresses.list': 'viewer',
  'addresses.create': 'member',
  'addresses.get': 'viewer',
  'addresses.update': 'member',
  'addresses.delete': 'member',
  'addresses.createSmtpLogin': 'member',
  'addresses.deleteSmtpLogin': 'member',
  'addresses.activity': 'viewer',
  'addresses.getSmtpFaults': 'viewer',
  'addresses.setSmtpFaults': 'member',
  'addresses.clearSmtpFaults': 'member',
  'forwardingRules.get': 'viewer',
  'forwardingRules.update': 'member',
  'emails.list': 'viewer',
  'emails.send': 'member',
  'emails.get': 'viewer',
  'emails.update': 'member',
  'emails.delete': 'member',
  'emails.restore': 'member',
  'emails.bounce': 'member',
  'emails.complain': 'member',
  'emails.forward': 'member',
  'emails.changeAll': 'member',
  'emails.wait': 'viewer',
  'emails.raw': 'viewer',
  'emails.checks': 'viewer',
  'emails.attachment': 'viewer',
  'domains.list': 'viewer',
  'domains.create': 'member',
  'domains.update': 'member',
  'domains.delete': 'member',
  'domains.verify': 'member',
  'forwardingAddresses.list': 'viewer',
  'forwardingAddresses.create': 'member',
  'forwardingAddresses.get': 'viewer',
  'forwardingAddresses.delete': 'member',
  'forwardingAddresses.resendVerification': 'member',
  'analytics.get': 'viewer',
  'analytics.daily': 'viewer',
  'auditLogs.list': 'viewer',
  'events.stream': 'viewer',
  'test.createEmail': 'member',
  'webhooks.list': 'viewer',
  'webhooks.create': 'member',
  'webhooks.get': 'viewer',
  'webhooks.update': 'member',
  'webhooks.delete': 'member',
  'webhooks.test': 'member',
  'webhooks.rotateSecret': 'member',
  'webhooks.deliveries': 'viewer',
  'webhooks.redeliver': 'member',
  'signInLinks.create': 'viewer',
  'sessions.list': 'viewer',
  'sessions.create': 'viewer',
  'sessions.switch': 'viewer',
  'sessions.deleteAll': 'viewer',
  'sessions.delete': 'viewer',
  'account.get': 'viewer',
  'memberships.list': 'viewer',
  'members.list': 'owner',
  'members.create': 'owner',
  'members.update': 'owner',
  'members.delete': 'owner',
  'apiKeys.list': 'viewer',
  'apiKeys.create': 'owner',
  'apiKeys.revoke': 'owner',
  'shareLinks.list': 'viewer',
  'shareLinks.create': 'member',
  'shareLinks.delete': 'member',
  // of share links, which have no role
  'sharedInbox.get': 'viewer',
  'sharedInbox.listEmails': 'viewer',
  'sharedInbox.getEmail': 'viewer',
  'sharedInbox.attachment': 'viewer',
  // of administrators, whatever their role in the account that is shown
  'accounts.list': 'viewer',
  'accounts.create': 'viewer',
  'accounts.update': 'viewer',
  'accounts.delete': 'viewer',
  'capturedEmails.list': 'viewer',
  'capturedEmails.get': 'viewer',
}

/** @throws AppError `MISSING_SCOPE` for a person who lacks the role */
export function authorizeRole({ role }: MemberOfCall, operationId: OperationId) {
  const needed = roleOf[operationId]
  if (roles.indexOf(role) > roles.indexOf(needed)) throw lacksRole(role, needed)
}

const lacksRole = (role: Role, needed: Role) => missingScope(
  `This needs the role ${needed} in the account, and yours is ${role}. Ask an owner of the account to change it.`)
