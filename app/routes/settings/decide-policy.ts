import { data, type RouterContextProvider, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FlashKey, flash } from '#app/http/cookies/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { orErrorPage } from '#app/http/problems.ts'
import { orStepUpPage } from '#app/http/step-up.ts'
import { withSentence } from '#app/http/with-sentence.ts'
import { changePolicy, Policies, type PolicyName } from '#server/features/offices/change-policy.ts'
import { readOffice } from '#server/features/offices/read-office.ts'

type RouteArgs = { request: Request; url: URL; context: Readonly<RouterContextProvider> }

/** Returns the current value of the policy. */
export async function decidedPolicy<N extends PolicyName>(
  { context }: Pick<RouteArgs, 'context'>,
  name: N,
): Promise<Policies[N]> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  return (await orErrorPage(readOffice(system, actor)))[name]
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
  choice: z.ZodType<Policies[PolicyName]> = Policies.shape[name],
) {
  const { request, context } = args
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const PolicyForm = z.object({ [name]: withSentence(choice, texts.missing) })
  const read = await orErrorPage(readForm(request, context, PolicyForm))
  if (!read.ok) return data({ errors: read.errors }, 422)
  await orStepUpPage(args, changePolicy(system, actor, name, read.value[name] ?? null))
  return redirect('/dashboard/settings', {
    status: 303,
    headers: { 'Set-Cookie': flash(texts.done) },
  })
}
