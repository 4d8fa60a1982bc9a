import type { BackupHeader } from './backup-header.ts'

/** Backups that restore one state: a whole one, and those that stand on it, oldest first. */
export type BackupChain =
  | { kind: 'whole'; chain: readonly [BackupHeader, ...BackupHeader[]] }
  /** Another backup is needed too. */
  | { kind: 'missing'; needed: NonNullable<BackupHeader['since']> }
  /** One stands on none of the others, and none on it. */
  | { kind: 'unrelated'; stray: BackupHeader }
  | { kind: 'repeated'; header: BackupHeader }

/** Puts backups in order, whatever the order in which they are given. @param headers at least one */
export function chainOf(headers: readonly BackupHeader[]): BackupChain {
  const byId = new Map(headers.map((header) => [header.id, header]))
  const repeated = headers.find((header) => byId.get(header.id) !== header)
  if (repeated) return { kind: 'repeated', header: repeated }
  const stoodOn = new Set(headers.map(({ since }) => since?.id))
  const tips = headers.filter(({ id }) => !stoodOn.has(id))
  const [tip, other] = tips.toSorted((a, b) => b.madeAt - a.madeAt)
  // Two that stand on each other: no backup of ours does.
  if (!tip) return { kind: 'unrelated', stray: headers[0]! }
  const chain: [BackupHeader, ...BackupHeader[]] = [tip]
  for (let { since } = tip; since; ) {
    const before = byId.get(since.id)
    if (!before) return { kind: 'missing', needed: since }
    chain.unshift(before)
    since = before.since
  }
  const stray = other ?? headers.find((header) => !chain.includes(header))
  return stray ? { kind: 'unrelated', stray } : { kind: 'whole', chain }
}
