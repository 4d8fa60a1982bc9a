import type { User } from '#server/domain/identity/user.ts'
import { addDocumentList } from '#server/features/checklists/change-document-list.ts'
import { listChecklists } from '#server/features/checklists/read-checklist.ts'
import { readDocumentChecks } from '#server/features/checklists/read-document-checks.ts'
import { setCheckState } from '#server/features/checklists/set-check-state.ts'
import type { System } from '#server/system.ts'
import { actorFor } from './demo-actor.ts'
import { findSample } from './find-sample.ts'

const LISTED = 'Escritura 4,521 · Compraventa de casa habitación'
const ACT = 'Compraventa'

/** Notes by item, from 1. */
const DONE: readonly (readonly [position: number, note: string | null])[] = [
  [1, 'INE de las dos partes, vigentes'],
  [2, null],
  [4, 'Sin gravamen, del 18 de noviembre'],
]

/** A draft of the demo office with a list that is half done. */
export async function seedChecklists(system: System, users: readonly User[]): Promise<void> {
  const clerk = actorFor(system, users, 'auxiliar')
  const draft = await findSample(system, clerk, LISTED)
  const sale = (await listChecklists(system, clerk)).find(({ act }) => act.name === ACT)
  if (!draft || !sale) return
  const of = { documentId: draft.id, actId: sale.act.id }
  const { lists } = await readDocumentChecks(system, clerk, of)
  if (lists.length > 0) return
  await addDocumentList(system, clerk, of)
  for (const [position, note] of DONE)
    await setCheckState(system, clerk, { ...of, position, state: 'done', note })
}
