/** The number of calls that share an audit record. */
export const statements = () => [
  `alter table audit_logs add column call_count integer not null default 1`,
]
