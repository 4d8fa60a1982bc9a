import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import { browserContext } from './context.ts'
import { openText, sealText } from './sealed-text.ts'
import { worded } from './worded.ts'

type Context = Readonly<RouterContextProvider>
type Typed = { code?: unknown; keptCode?: unknown }

/** The field for the code; `withKeptCode` fills it when the form came back with a good one. */
export const codeField = worded(
  ActivationCode,
  'Escriba los 26 caracteres del código, como están en el enlace o en la hoja que le dieron.',
)

/** The same schema for a form that may carry its code sealed, in `keptCode`. */
export function withKeptCode<S extends z.ZodType>(context: Context, schema: S) {
  return z.preprocess((input) => {
    const typed = input as Typed
    return { ...typed, code: codeIn(context, typed) }
  }, schema)
}

/**
 * The code of a form that is shown again, so that nobody types 26 characters twice: sealed for this browser,
 * since a page that comes back must not show it. Undefined when it was no code.
 */
export function keptCode(context: Context, typed: Typed): string | undefined {
  const code = ActivationCode.safeParse(codeIn(context, typed))
  return code.success ? sealText(context, code.data, placeOf(context)) : undefined
}

/**
 * The same answer, which also takes the code out of the address: where no script did, a browser would carry it
 * on to the next page. Every page has a part of this name.
 */
export function withoutFragment(response: Response): Response {
  response.headers.set('Location', `${response.headers.get('Location')}#contenido`)
  return response
}

function codeIn(context: Context, { code, keptCode }: Typed): unknown {
  const kept = typeof keptCode === 'string' ? keptCode : undefined
  return code || openText(context, kept, placeOf(context)) || ''
}

const placeOf = (context: Context) => `form.activation_code:${context.get(browserContext).id}`
