import {
  findStretchEnd,
  findTitlePlace,
  isByUpload,
  type ListPlace,
  listDocuments,
  listMatching,
  listOfSession,
} from '#server/db/documents/document-lists.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentOrder } from '#server/domain/documents/document-list.ts'
import { titleKey } from '#server/domain/documents/title-key.ts'
import { cursorText } from '#server/domain/page-cursor.ts'
import type { System } from '#server/system.ts'
import type { DocumentPage, PageQuery } from './document-page.ts'
import { othersRun } from './others-run.ts'

/** How long the comparing may take, in ms: the whole page then takes less than 150. */
const PATIENCE = 95
/** Compares so many documents at once, and so many times however slow the machine is. */
const STRETCH = 1_000
/** Signers are counted in the rows of each document. */
const STRETCH_OF_SIGNERS = 200
const FEWEST_STRETCHES = 4

type Asked = Omit<PageQuery, 'order' | 'behind'> & {
  order: DocumentOrder
  behind: ListPlace | undefined
}

/** A page of documents in an order, without a search. Takes a bounded time in an office of any size. */
export async function listPage(
  { db }: Pick<System, 'db'>,
  query: PageQuery,
): Promise<DocumentPage> {
  const { order = 'newest', signingSession } = query
  const asked = { ...query, order, behind: await findPlace(db, { ...query, order }) }
  const limit = query.limit + 1
  if (signingSession)
    return pageOf(await listOfSession(db, { ...asked, signingSession, limit }), asked)
  if (isCompared(asked)) return await pageOfCompared(db, asked)
  return pageOf(await listDocuments(db, { ...asked, limit }), asked)
}

/** The place behind which the page begins. A cursor of another order is ignored. */
async function findPlace(
  db: Reader,
  { officeId, order, behind }: PageQuery & { order: DocumentOrder },
): Promise<ListPlace | undefined> {
  if (typeof behind === 'string')
    return order === 'title' ? await findTitlePlace(db, officeId, behind) : undefined
  return behind && 'at' in behind && order !== 'title' ? behind : undefined
}

/** Whether something is asked for that no index selects in this order. */
const isCompared = ({ order, state, from, to, kind, createdBy, signer }: Asked): boolean =>
  [kind, createdBy, signer, ...(isByUpload(order) ? [] : [state, from, to])].some(
    (value) => value !== undefined,
  )

/**
 * Compares one stretch of the order after the other, until the page is full or the time is over. Others run between two. The
 * indexes of the orders hold what is compared.
 */
async function pageOfCompared(db: Reader, query: Asked): Promise<DocumentPage> {
  const patienceEnds = performance.now() + PATIENCE
  const found: Document[] = []
  const stretch = query.signer ? STRETCH_OF_SIGNERS : STRETCH
  let { behind } = query
  for (let times = 0; times < FEWEST_STRETCHES || performance.now() < patienceEnds; times += 1) {
    const end = await findStretchEnd(db, { ...query, behind, limit: stretch })
    const limit = query.limit + 1 - found.length
    found.push(...(await listMatching(db, { ...query, behind, end, limit })))
    if (!end || found.length > query.limit) return pageOf(found, query)
    behind = end
    await othersRun()
  }
  const next = behind && textOf(behind)
  return { ...pageOf(found, query), next, wasCutShort: true }
}

/** @param found one document more than the page has, if there is one */
function pageOf(found: readonly Document[], { limit, order }: Asked): DocumentPage {
  const documents = found.slice(0, limit)
  const last = found.length > limit ? documents.at(-1) : undefined
  return {
    documents,
    next: last && textOf(placeOf(last, order)),
    ...{ areSimilar: false, wasCutShort: false, isIncomplete: false },
  }
}

function placeOf({ id, title, createdAt, stateSince }: Document, order: DocumentOrder): ListPlace {
  if (order === 'title') return { titleKey: titleKey(title), id }
  return { at: order === 'changed' ? stateSince : createdAt, id }
}

/** A `DocumentCursor`. A list by title names the last document only: its title is not for an address. */
const textOf = (place: ListPlace): string => ('at' in place ? cursorText(place) : place.id)
