import type { Ddl } from '../engine.ts'

/** One row: a number that increases with each change of a key or an account, in the transaction of the change (`accounts/api-keys.ts`). */
export const statements = ({ afterChange }: Ddl) => [
  `create table api_key_version (version bigint not null)`,
  `insert into api_key_version (version) values (0)`,
  ...afterChange('api_keys', increase),
  ...afterChange('accounts', increase),
]

const increase = 'update api_key_version set version = version + 1'
