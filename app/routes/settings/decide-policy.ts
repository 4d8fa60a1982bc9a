import { data, type RouterContextProvider, redirect } from 'react-router'
import { z } from 'zod'
import { actorContext, systemContext } from '#app/http/context.ts'
import { type FlashKey, flash } from '#app/http/flash.ts'
import { readForm } from '#app/http/forms.ts'
import { answeringOrStepUp } from '#app/http/keep-request.ts'
import { answering } from '#app/http/problems.ts'
import { worded } from '#app/http/worded.ts'
import { changePolicy, Policies, type PolicyName } from '#server/features/offices/change-policy.ts'
import { readOffice } from '#server/features/offices/read-office.ts'

type Asked = { request: Request; url: URL; context: Readonly<RouterContextProvider> }

/** Returns the current value of the policy. */
export async function decidedPolicy<N extends PolicyName>(
  { context }: Pick<Asked, 'context'>,
  name: N,
): Promise<Policies[N]> {
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  return (await answering(readOffice(system, actor)))[name]
}

/**
 * Handles the form of one policy and redirects to the settings.
 *
 * @param said.wanted error if nothing was selected
 * @param choice schema of the submitted value, if it is not the policy's own
 */
export async function decidePolicy(
  asked: Asked,
  name: PolicyName,
  said: { wanted: string; done: FlashKey },
  choice: z.ZodType<Policies[PolicyName]> = Policies.shape[name],
) {
  const { request, context } = asked
  const [system, actor] = [context.get(systemContext), context.get(actorContext)]
  const PolicyForm = z.object({ [name]: worded(choice, said.wanted) })
  const read = await answering(readForm(request, context, PolicyForm))
  if (!read.ok) return data({ errors: read.errors }, 422)
  await answeringOrStepUp(asked, changePolicy(system, actor, name, read.value[name] ?? null))
  return redirect('/dashboard/settings', {
    status: 303,
    headers: { 'Set-Cookie': flash(said.done) },
  })
}
