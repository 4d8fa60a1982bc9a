import { data, type RouterContextProvider, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FlashKey, flash } from '#app/http/cookies/flash.ts'
import { type FormErrors, readForm, typedIn } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { orStepUpPage } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import {
  OfficePolicies,
  type PolicyName,
  seenText,
} from '#server/domain/offices/office-policies.ts'
import { changePolicies } from '#server/features/offices/change-policies.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { conflictText, policyText, staleText } from '#server/words/policies.ts'

type RouteArgs = { request: Request; url: URL; context: Readonly<RouterContextProvider> }

/** How the values of a policy are sent by its form. */
type Sent<V> = { of(value: V): string }

/** The current value of a policy as its form sends it, and as the page shows it to the form. */
export type DecidedPolicy = { decided: string; seen: string }

/** A refused form: what was chosen, and what its page had shown. */
export type RefusedPolicy = { errors: FormErrors; chosen?: string; seen?: string }

/** Returns the current value of the policy. */
export async function decidedPolicy<N extends PolicyName>(
  { context }: Pick<RouteArgs, 'context'>,
  name: N,
  { of }: Sent<OfficePolicies[N]> = { of: String },
): Promise<DecidedPolicy> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const value = OfficePolicies.parse(await orErrorPage(readOffice(system, actor)))[name]
  return { decided: of(value), seen: seenText(value) }
}

/**
 * Handles the form of one policy and redirects to the settings.
 *
 * @param texts.missing error if nothing was selected
 * @param choice schema of the submitted value, if it is not the policy's own
 */
export async function decidePolicy(
  args: RouteArgs,
  name: PolicyName,
  texts: { missing: string; done: FlashKey },
  choice: z.ZodType<OfficePolicies[PolicyName]> = OfficePolicies.shape[name],
) {
  const { request, context } = args
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const PolicyForm = z.object({
    [name]: withSentence(choice, texts.missing),
    seen: z.string().optional(),
  })
  const read = await orErrorPage(readForm(request, context, PolicyForm))
  const { [name]: chosen = '', seen } = typedIn(context)
  const refused = (sentence: string, status: number, shown = seen) => {
    const answer = { errors: { [name]: [sentence] }, chosen, ...(shown && { seen: shown }) }
    return data<RefusedPolicy>(answer, status)
  }
  if (!read.ok) return data<RefusedPolicy>({ errors: read.errors, ...(seen && { seen }) }, 422)
  const change = {
    decided: { [name]: read.value[name] ?? null },
    ...(seen && { seen: { [name]: seen } }),
  }
  const outcome = await orStepUpPage(args, changePolicies(system, actor, change))
  switch (outcome.kind) {
    case 'stale': {
      const value = outcome.now[name]
      return refused(staleText(policyText(name, value)), 409, seenText(value))
    }
    case 'conflict':
      return refused(outcome.conflicts.map(conflictText).join(' '), 422)
    case 'changed':
      return redirect('/dashboard/settings', {
        status: 303,
        headers: { 'Set-Cookie': flash(texts.done) },
      })
  }
}
