import { type Instant, instantOf } from '#server/domain/time.ts'

/** A PDF date in UTC: `D:20261120150500+00'00'`. @see ISO 32000-2:2020, 7.9.4 */
export function encodeDate(instant: Instant): Uint8Array {
  const digits = new Date(instant).toISOString().replace(/\D/g, '').slice(0, 14)
  return new Uint8Array(Buffer.from(`D:${digits}+00'00'`, 'latin1'))
}

/** The point in time that a PDF date names; without a zone it counts as UTC; undefined when it is none. */
export function decodeDate(text: string): Instant | undefined {
  const match =
    /^(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+\-Z])(?:(\d\d)'?(\d\d)?'?)?)?/.exec(
      text,
    )
  if (!match) return undefined
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00'] = match
  const [sign, zoneHour = '00', zoneMinute = '00'] = match.slice(7)
  const zone = sign === '+' || sign === '-' ? `${sign}${zoneHour}:${zoneMinute}` : 'Z'
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  return Number.isNaN(Number(date)) ? undefined : instantOf(date)
}
