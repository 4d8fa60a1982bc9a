import type { AuditEvent } from '#server/domain/audit/event.ts'
import type { ActData } from '#server/domain/signing/act/act.ts'

/** What the log keeps of an act: its answer is evidence of what the office knew. */
export const factsOfAct = ({
  name,
  roles,
  notary,
  electronic,
}: ActData): AuditEvent['details'] => ({
  name,
  roles: roles.map(({ character, least, most }) => `${character} ${least}-${most}`).join(', '),
  notary,
  electronic: electronic?.answer ?? null,
  entity: electronic?.entity ?? null,
  source: electronic?.source ?? null,
  day: electronic?.day ?? null,
})
