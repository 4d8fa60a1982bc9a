import { randomUUID } from 'node:crypto'
import { OfficeId } from '#server/domain/ids.ts'
import { hours, minutes } from '#server/domain/time.ts'
import { Office, type OfficeIdentity } from './office.ts'

/** An office with the strictest policies; an administrator may relax them later. */
export function newOffice(input: OfficeIdentity, uploadLimit: number): Office {
  const { number, entity, municipality, address, timeZone, name } = input
  return Office.parse({
    id: OfficeId.parse(randomUUID()),
    number,
    entity,
    municipality,
    address,
    timeZone,
    name,
    serverSigning: 'disabled',
    presence: 'none',
    uploadLimit,
    sessionIdle: minutes(30),
    sessionAbsolute: hours(12),
    timestampPolicy: 'later',
    constanciaPolicy: 'none',
    reminders: '1,3,7',
    reportSchedule: 'none',
    publicNames: 'masked',
    publicDownloads: 'allowed',
    secondFactorGrace: 0,
  })
}
