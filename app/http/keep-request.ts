import { createContext, type RouterContextProvider, redirect, redirectDocument } from 'react-router'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import { FRESH, mustBeProven, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import { keepRequest } from '#server/features/auth/keep-request.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import {
  readKeptRequest,
  type TakenRequest,
  takeKeptRequest,
} from '#server/features/auth/take-kept-request.ts'
import type { FormEntries } from './body.ts'
import { actorContext, entriesContext, systemContext } from './context.ts'
import { flash } from './flash.ts'
import { replayedContext } from './pass-replay-on.ts'
import { answering, refusalOf } from './problems.ts'
import { sessionCookies } from './session-cookies.ts'

type Context = Readonly<RouterContextProvider>
type Asked = { request: Request; context: Context; url: URL }

/** Sends a form that was kept once more through the whole application, as its browser would. */
export type Replay = (kept: TakenRequest, newCookies: readonly string[]) => Promise<Response>
export const replayContext = createContext<Replay>()

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** What must not lie anywhere, not even sealed and for five minutes; and what is stale by then. */
const SECRET_FIELD = /password|contrase|key|clave|secret|^code$/i

/**
 * Like `answering`, but whoever must first prove who they are is asked for it, and the form is sent on
 * afterwards.
 */
export async function answeringOrStepUp<T>(asked: Asked, work: Promise<T>): Promise<T> {
  return await answering(orStepUp(asked, work))
}

/** Like `refusalOf`, but whoever must first prove who they are is asked for it. */
export async function refusalOrStepUp<T>(
  asked: Asked,
  work: Promise<T>,
): Promise<Awaited<ReturnType<typeof refusalOf<T>>>> {
  return await refusalOf(orStepUp(asked, work))
}

async function orStepUp<T>({ request, context, url }: Asked, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isStepUp(error)) throw error
    throw await stepUp(request, context, url, context.get(entriesContext) ?? undefined)
  }
}

const STEP_UP: ProblemCode = 'step-up-needed'
const isStepUp = (error: unknown) => error instanceof Problem && error.code === STEP_UP

/**
 * The way to the page that asks who one is. A small form without secrets and files is kept and sent on from
 * there; after anything else one comes back to its page.
 *
 * @param entries of the form that was sent; undefined for none
 */
export async function stepUp(
  request: Request,
  context: Context,
  url: URL,
  entries: FormEntries | undefined,
): Promise<Response> {
  const path = url.pathname + url.search
  const body = request.method === 'POST' && entries && encoded(entries)
  const id =
    body &&
    (await keepRequest(context.get(systemContext), context.get(actorContext), {
      path,
      contentType: FORM_TYPE,
      body,
    }))
  const way = id ? `/step-up/${id}` : `/step-up?returnUrl=${encodeURIComponent(path)}`
  return redirectDocument(way, 303)
}

/**
 * For the loader of a page whose form cannot be kept, because it has a password, a key or a file: asks who
 * one is before the form is shown.
 */
export function mustBeFresh({ context, url }: Pick<Asked, 'context' | 'url'>): void {
  const { clock } = context.get(systemContext)
  const person = mustBeSignedIn(context.get(actorContext))
  try {
    mustBeProven(person, url.pathname, FRESH, clock.now())
  } catch (error) {
    if (!isStepUp(error)) throw error
    const path = encodeURIComponent(url.pathname + url.search)
    throw redirectDocument(`/step-up?returnUrl=${path}`)
  }
}

/**
 * Sends the kept form on with the tokens that its person got for proving who they are. The answer of the
 * form is the answer of this request; of one that is gone, its page or the dashboard with a sentence.
 *
 * @param id from the address of the page
 */
export async function resumeKept(
  { context }: Pick<Asked, 'context'>,
  id: string,
  tokens: SessionTokens,
): Promise<Response> {
  const system = context.get(systemContext)
  const cookies = sessionCookies(tokens, system.clock.now())
  const asker = context.get(actorContext)
  const actor = (await resumeSession(system, asker, tokens.access, 'glance')) ?? asker
  // One that does not open costs the form alone: the tokens of before are worth nothing any more.
  const taken = await refusalOf(takeKeptRequest(system, actor, id))
  const kept = taken.ok ? taken.value : undefined
  if (!kept) {
    const path = (await readKeptRequest(system, actor, id))?.path ?? '/dashboard'
    return leading(path, [...cookies, flash('not-confirmed-in-time')])
  }
  const response = await context.get(replayContext)(kept, cookies)
  // Set for `passReplayOn`: what an action returns is data for its page, unless it leads elsewhere.
  context.set(replayedContext, { response, cookies })
  return leading(kept.path, cookies)
}

/** For the page that asks: nothing waits there any more when the form was sent on, or time ran out. */
export async function mustStillWait({ context }: Pick<Asked, 'context'>, id: string) {
  const kept = await readKeptRequest(context.get(systemContext), context.get(actorContext), id)
  if (!kept) throw leading('/dashboard', [flash('not-confirmed-in-time')])
  if (kept.state === 'used') throw leading(kept.path, [])
}

/**
 * For whoever sends a form to the address of a step-up that was resumed already. A page that the form of
 * before was answered with stands at that address: its forms go on to where they belong, as they are. The
 * proof of another tab goes nowhere, or what was kept would be done twice.
 *
 * @param isProof whether the form is the one that proves who one is
 */
export async function passOnToPage(
  { context }: Pick<Asked, 'context'>,
  id: string,
  isProof: boolean,
): Promise<Response | undefined> {
  const kept = await readKeptRequest(context.get(systemContext), context.get(actorContext), id)
  if (kept?.state !== 'used') return undefined
  return isProof ? leading(kept.path, []) : redirect(kept.path, 307)
}

function leading(path: string, cookies: readonly string[]): Response {
  const headers = new Headers()
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)
  return redirectDocument(path, { status: 303, headers })
}

function encoded(entries: FormEntries): Uint8Array<ArrayBuffer> | undefined {
  const form = new URLSearchParams()
  for (const [name, value] of entries) {
    if (typeof value !== 'string' || SECRET_FIELD.test(name)) return undefined
    form.append(name, value)
  }
  return new TextEncoder().encode(form.toString())
}
