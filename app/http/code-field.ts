import type { RouterContextProvider } from 'react-router'
import { z } from 'zod'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import { browserContext } from './context.ts'
import { openText, sealText } from './cookies/sealed-text.ts'
import { withSentence } from './with-sentence.ts'

type Context = Readonly<RouterContextProvider>
type Typed = { code?: unknown; keptCode?: unknown }

/** The code field; `withSealedCode` fills it when a form with a valid code is shown again. */
export const codeField = withSentence(
  ActivationCode,
  'Escriba los 26 caracteres del código, como están en el enlace o en la hoja que le dieron.',
)

/** Adds to the schema a code that comes sealed in the field `keptCode`. */
export function withSealedCode<S extends z.ZodType>(context: Context, schema: S) {
  return z.preprocess((input) => {
    const typed = input as Typed
    return { ...typed, code: codeIn(context, typed) }
  }, schema)
}

/**
 * Returns the code sealed for this browser, so that the user need not type 26 characters again and the page
 * does not show it; undefined if it is not a valid code.
 */
export function sealedCode(context: Context, typed: Typed): string | undefined {
  const code = openedCode(context, typed)
  return code && sealText(context, code, placeOf(context))
}

/** The code of a form, typed or sealed; undefined if it is not a valid one. */
export const openedCode = (context: Context, typed: Typed): ActivationCode | undefined =>
  ActivationCode.safeParse(codeIn(context, typed)).data

/**
 * Removes the code from the address of the redirect. Without scripts, browsers carry the fragment over to
 * the next page. Every page has an element with this id.
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
