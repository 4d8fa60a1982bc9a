import type { Person } from '#server/domain/identity/actor.ts'
import type { HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import { isAllowed } from '#server/domain/policy/authorize.ts'

/** Whether the person may see RFC, CURP and e-mail address of the holder: users see their own; others' as in the list of users. */
export const maySeeHolder = (
  { roles, userId }: Person,
  certificate: Pick<HeldCertificate, 'userId'>,
): boolean => isAllowed(roles, 'users.read') || certificate.userId === userId
