import { type Instant, zoneName } from '#server/domain/time.ts'

/** Formats a time for comparison with a device's clock: `14:05:32 (hora del centro)`. */
export function shownTime(at: Instant, zone = 'America/Mexico_City'): string {
  const clock = new Intl.DateTimeFormat('es-MX', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  return `${clock.format(at)} (${zoneName(zone)})`
}
