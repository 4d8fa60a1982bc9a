import { startOfDay } from '#server/domain/day.ts'
import { formatDay } from '#server/domain/time.ts'
import { documentKinds } from '#server/words/documents.ts'
import { type Asked, listAddress } from './list-address.ts'

type Office = { timeZone: string }
type Uploader = { value: string; label: string }

/**
 * The filters of the list as sentences, each with the address of the list without it. Search and state are not among them: their
 * own fields show them.
 *
 * @param own the id of the user who reads them
 */
export function activeFilters(
  asked: Asked,
  { timeZone }: Office,
  uploaders: readonly Uploader[],
  own: string,
): { name: string; without: string }[] {
  const { kind, by, from, to, signer, signingSession } = asked
  const dayText = (day: NonNullable<typeof from>) => formatDay(startOfDay(day, timeZone), timeZone)
  const without = (key: keyof Asked) => listAddress({ ...asked, [key]: undefined })
  return [
    ...(kind ? [{ name: `Tipo: ${documentKinds[kind]}`, without: without('kind') }] : []),
    ...(by ? [{ name: `Subido por ${nameOf(by, uploaders, own)}`, without: without('by') }] : []),
    ...(signer
      ? [{ name: `Firmante: ${nameOf(signer, uploaders, own)}`, without: without('signer') }]
      : []),
    ...(signingSession
      ? [{ name: 'De una sesión de firma', without: without('signingSession') }]
      : []),
    ...(from ? [{ name: `Subido desde el ${dayText(from)}`, without: without('from') }] : []),
    ...(to ? [{ name: `Subido hasta el ${dayText(to)}`, without: without('to') }] : []),
  ]
}

function nameOf(by: string, uploaders: readonly Uploader[], own: string): string {
  if (by === own) return 'mí'
  return uploaders.find(({ value }) => value === by)?.label ?? 'otra persona'
}
