/** Audit records that stand for several calls. */
export const statements = () => [
  `alter table audit_logs add column call_count integer not null default 1`,
]
