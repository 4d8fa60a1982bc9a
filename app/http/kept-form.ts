import { createContext, type RouterContextProvider } from 'react-router'
import { isCsrfTokenOf } from '#server/domain/crypto/csrf.ts'
import type { KeptForm } from '#server/domain/identity/kept-form.ts'
import { Problem } from '#server/domain/problem.ts'
import { type EndedSession, findEndedSession } from '#server/features/auth/find-ended-session.ts'
import { keepForm } from '#server/features/auth/keep-form.ts'
import { takeKeptForm } from '#server/features/auth/take-kept-form.ts'
import { BODY_LIMIT, FIELD_COUNT_LIMIT, type FormEntries, readEntries, wipeFiles } from './body.ts'
import { actorContext, systemContext } from './context.ts'
import { readCookie } from './cookies/cookies.ts'
import { CSRF_FIELD } from './csrf.ts'
import { streamFiles } from './stream-files.ts'

type Context = Readonly<RouterContextProvider>

/** In the address of the page that shows a kept form again: its id. */
export const KEPT = 'conservado'

/** For the call that keeps a form: where it would be sent to. */
export const KEPT_PATH = 'path'

/** As many as the largest form of ours: the new session, with 500 documents to choose from and 40 signers of nine fields. */
const MOST_FIELDS = 500 + FIELD_COUNT_LIMIT + 40 * 9

/** A form that came after its session was over. */
type LateForm = { session: EndedSession; entries: FormEntries }

/**
 * Keeps a form that came after its session was over, if it is a form of that session. Returns its id, or undefined.
 *
 * @param path where it was sent to
 */
export async function keepLateForm(
  request: Request,
  context: Context,
  path: string,
): Promise<string | undefined> {
  const late = await readLateForm(request, context)
  return (
    late &&
    (await keepForm(context.get(systemContext), late.session, { path, entries: late.entries }))
  )
}

/**
 * Like `keepLateForm`, for the call of a page.
 *
 * @throws {Problem} `cross-site` if it is no form of the session
 */
export async function keepFormOfPage(
  request: Request,
  context: Context,
  path: string,
): Promise<string | undefined> {
  const late = await readLateForm(request, context)
  if (!late) throw new Problem('cross-site', 'no form of the session that the cookies name')
  return await keepForm(context.get(systemContext), late.session, { path, entries: late.entries })
}

/** Returns a form of the session that the cookies name; undefined for any other. */
async function readLateForm(request: Request, context: Context): Promise<LateForm | undefined> {
  const system = context.get(systemContext)
  const session = await findEndedSession(system, {
    access: readCookie(request, '__Host-session'),
    refresh: readCookie(request, '__Host-refresh_token'),
  })
  const entries = session && (await readFields(request))
  const token = entries?.find(([name]) => name === CSRF_FIELD)?.[1]
  if (!session || !entries || typeof token !== 'string') return undefined
  const isOurs = isCsrfTokenOf(system.settings.csrfKey, session.sessionId, token)
  return isOurs ? { session, entries } : undefined
}

/** Of a form with large files, the fields before them. Undefined if the form cannot be read. */
async function readFields(request: Request): Promise<FormEntries | undefined> {
  const isLarge = Number(request.headers.get('Content-Length')) > BODY_LIMIT
  try {
    if (isLarge) return await streamFiles(request, 1, async (entries) => entries)
    const entries = await readEntries(request, { maxFields: MOST_FIELDS })
    // One of them may be a private key.
    wipeFiles(entries)
    return entries
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** A form that its page shows again: the fields by name. */
export type ShownForm = KeptForm

const shownFormContext = createContext<Promise<ShownForm | null> | null>(null)

/**
 * Takes the form that the address names for this user, once; null for any other request. All loaders of the request get the
 * same one.
 */
export async function takeShownForm(
  request: Request,
  context: Context,
  url: URL,
): Promise<ShownForm | null> {
  const taken = context.get(shownFormContext)
  if (taken) return await taken
  const taking = takeOnce(request, context, url)
  context.set(shownFormContext, taking)
  return await taking
}

async function takeOnce(request: Request, context: Context, url: URL): Promise<ShownForm | null> {
  const id = url.searchParams.get(KEPT)
  if (id === null || !isPageVisit(request)) return null
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  try {
    return (await takeKeptForm(system, actor, id)) ?? null
  } catch (error) {
    // The page is worth more than what was typed in it. The refusal is in the log.
    if (error instanceof Problem) return null
    throw error
  }
}

/** Neither a prefetch, nor React Router's request for data, whose page is already open. */
const isPageVisit = ({ method, headers, url }: Request): boolean =>
  method === 'GET' &&
  !headers.get('Sec-Purpose')?.includes('prefetch') &&
  !new URL(url).pathname.endsWith('.data')
