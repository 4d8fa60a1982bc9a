import { createContext, type RouterContextProvider, redirect, redirectDocument } from 'react-router'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import { SECRET_FIELD } from '#server/domain/identity/kept-form.ts'
import { FRESH, isProven, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { isProblem, type ProblemCode } from '#server/domain/problem.ts'
import { keepRequest } from '#server/features/auth/keep-request.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import {
  readKeptRequest,
  type TakenRequest,
  takeKeptRequest,
} from '#server/features/auth/take-kept-request.ts'
import type { FormEntries } from './body.ts'
import { actorContext, entriesContext, systemContext } from './context.ts'
import { flash } from './cookies/flash.ts'
import { sessionCookies } from './cookies/session-cookies.ts'
import { orErrorPage, refusalOf } from './problems.ts'
import { replayedContext } from './send-replayed.ts'

type Context = Readonly<RouterContextProvider>
type RouteArgs = { request: Request; context: Context; url: URL }

/** Sends a kept form through the whole application again, as its browser would. */
export type Replay = (kept: TakenRequest, newCookies: readonly string[]) => Promise<Response>
export const replayContext = createContext<Replay>()

const FORM_TYPE = 'application/x-www-form-urlencoded'

/**
 * Like `orErrorPage`, but on `step-up-needed` redirects to the step-up page and replays the form afterwards.
 */
export async function orStepUpPage<T>(args: RouteArgs, work: Promise<T>): Promise<T> {
  return await orErrorPage(orStepUp(args, work))
}

/** Like `refusalOf`, but on `step-up-needed` redirects to the step-up page. */
export async function refusalOrStepUp<T>(
  args: RouteArgs,
  work: Promise<T>,
): Promise<Awaited<ReturnType<typeof refusalOf<T>>>> {
  return await refusalOf(orStepUp(args, work))
}

async function orStepUp<T>({ request, context, url }: RouteArgs, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!isStepUp(error)) throw error
    throw await stepUp(request, context, url, context.get(entriesContext) ?? undefined)
  }
}

const STEP_UP: ProblemCode = 'step-up-needed'
const isStepUp = (error: unknown) => isProblem(error, STEP_UP)

/**
 * Returns the redirect to the step-up page. A small form without secrets and files is kept and replayed
 * afterwards; in any other case the user returns to the page of the form.
 *
 * @param entries of the submitted form; undefined without one
 */
async function stepUp(
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
  const target = id ? `/step-up/${id}` : `/step-up?returnUrl=${encodeURIComponent(path)}`
  return redirectDocument(target, 303)
}

/**
 * For the loader of a page whose form cannot be kept (it has a password, a key or a file): redirects to the
 * step-up page unless the last proof of identity is recent.
 */
export function requireRecentProof({ context, url }: Pick<RouteArgs, 'context' | 'url'>): void {
  const { clock } = context.get(systemContext)
  const person = mustBeSignedIn(context.get(actorContext))
  if (isProven(person, FRESH, clock.now())) return
  const path = encodeURIComponent(url.pathname + url.search)
  throw redirectDocument(`/step-up?returnUrl=${path}`)
}

/**
 * Replays the kept form with the session's new tokens. Its response is the response of this request; if the
 * form has expired, redirects to its page or to the dashboard with a message.
 *
 * @param id from the address of the page
 */
export async function replayKept(
  { context }: Pick<RouteArgs, 'context'>,
  id: string,
  tokens: SessionTokens,
): Promise<Response> {
  const system = context.get(systemContext)
  const cookies = sessionCookies(tokens, system.clock.now())
  const holder = context.get(actorContext)
  const actor = (await resumeSession(system, holder, tokens.access, 'passive')) ?? holder
  // If the form has expired, the new tokens still have to be set: the old ones no longer work.
  const taken = await refusalOf(takeKeptRequest(system, actor, id))
  const kept = taken.ok ? taken.value : undefined
  if (!kept) {
    const path = (await readKeptRequest(system, actor, id))?.path ?? '/dashboard'
    return redirectWith(path, [...cookies, flash('not-confirmed-in-time')])
  }
  const response = await context.get(replayContext)(kept, cookies)
  // Set for `sendReplayed`: the return value of an action is data for its page unless it redirects.
  context.set(replayedContext, { response, cookies })
  return redirectWith(kept.path, cookies)
}

/** For the step-up page: redirects if the kept form was already replayed or has expired. */
export async function requirePending({ context }: Pick<RouteArgs, 'context'>, id: string) {
  const kept = await readKeptRequest(context.get(systemContext), context.get(actorContext), id)
  if (!kept) throw redirectWith('/dashboard', [flash('not-confirmed-in-time')])
  if (kept.state === 'used') throw redirectWith(kept.path, [])
}

/**
 * For a form sent to a step-up address whose kept form was already replayed. The page of that response
 * stands at this address, so its forms are forwarded with 307 to their own path. A second proof is not
 * forwarded; it would replay the kept form twice.
 *
 * @param isProof whether the submitted form is the step-up form itself
 */
export async function forwardToForm(
  { context }: Pick<RouteArgs, 'context'>,
  id: string,
  isProof: boolean,
): Promise<Response | undefined> {
  const kept = await readKeptRequest(context.get(systemContext), context.get(actorContext), id)
  if (kept?.state !== 'used') return undefined
  return isProof ? redirectWith(kept.path, []) : redirect(kept.path, 307)
}

function redirectWith(path: string, cookies: readonly string[]): Response {
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
