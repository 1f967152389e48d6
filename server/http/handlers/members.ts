import { changeRole, endMembership, invite, listAccountMembers } from '../../domain/members.ts'
import { change } from './change.ts'
import type { ApiReply, HandlersOf } from './handler.ts'

export const members = {
  async 'members.list'(app, { caller }) {
    return { data: await listAccountMembers(app.db, caller) }
  },

  'members.create': change({
    prepare: (app, { caller, body }) => invite(app, caller, body),
    reply: (data) => ({ data }),
    toRepeat: withoutLink,
  }),

  'members.update': change({
    run: (tx, { caller, path, body }) => changeRole(tx, caller, path.id, body.role),
    reply: (data) => ({ data }),
  }),

  'members.delete': change({
    run: (tx, { caller, path }) => endMembership(tx, caller, path.id),
    reply: () => ({ message: 'The member is removed.' }),
  }),
} satisfies HandlersOf<'members'>

/** The link is shown once. JSON leaves out a member that is undefined. */
function withoutLink({ data }: ApiReply<'members.create'>): ApiReply<'members.create'> {
  return { data: { ...data, invitationUrl: undefined } }
}
