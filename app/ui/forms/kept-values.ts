import { Children, createContext, isValidElement, type ReactNode, use } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { ShownForm } from '#app/http/kept-form.ts'

/** The values that a form had when its session was over, by name; null for a form that was not kept. */
export type KeptValues = ReadonlyMap<string, readonly string[]>

export const KeptValuesContext = createContext<KeptValues | null>(null)

/** Returns the kept values of a field: none if it was empty or not chosen; undefined if the form was not kept. */
export const useKeptValues = (name: string): readonly string[] | undefined => {
  const kept = use(KeptValuesContext)
  return kept === null ? undefined : (kept.get(name) ?? [])
}

/** Returns the kept value of a text field or a choice; undefined to use the page's own. */
export const useKeptValue = (name: string): string | undefined => useKeptValues(name)?.[0]

/** Hidden fields that change with the page, not with the form. */
const VERSIONS = ['version', 'judgement', 'documents', 'notice', 'at', 'returnUrl', 'once']

/**
 * Returns the values of the kept form if it is this one: of the same address, with the same hidden fields.
 *
 * @param path of the form
 * @param children of the form; its hidden fields are among them
 */
export function keptValuesOf(
  kept: ShownForm | null,
  path: string,
  children: ReactNode,
): KeptValues | null {
  if (!kept || kept.path !== path) return null
  const values = new Map<string, string[]>()
  for (const [name, value] of kept.fields) values.set(name, [...(values.get(name) ?? []), value])
  const hidden = hiddenIn(children)
  const isThisOne = hidden
    .filter(([name]) => !VERSIONS.includes(name))
    .every(([name, value]) => values.get(name)?.[0] === value)
  // A button alone: nothing was typed.
  const isTyped = [...values.keys()].some(
    (field) => field !== 'intent' && hidden.every(([name]) => name !== field),
  )
  return isThisOne && isTyped ? values : null
}

/**
 * Whether a form of this page is shown again with what was typed: a fold around it is open then.
 *
 * @param hidden fields that tell it from other forms of its address
 */
export function useIsKeptForm(path: string, hidden: Readonly<Record<string, string>>): boolean {
  const kept = useKeptForm()
  return (
    kept?.path === path &&
    Object.entries(hidden).every((field) =>
      kept.fields.some(([name, value]) => name === field[0] && value === field[1]),
    )
  )
}

/** The form that this page shows again. */
export const useKeptForm = (): ShownForm | null =>
  (useRouteLoaderData('root') as { kept?: ShownForm | null } | undefined)?.kept ?? null

function hiddenIn(children: ReactNode): [name: string, value: string][] {
  return Children.toArray(children).flatMap((child): [string, string][] => {
    if (!isValidElement<{ type?: string; name?: string; value?: unknown }>(child)) return []
    const { type, name = '', value } = child.props
    return child.type === 'input' && type === 'hidden' ? [[name, String(value)]] : []
  })
}
