import { useRouteLoaderData } from 'react-router'

/** First in every form that changes something, before any file. */
export function CsrfField() {
  const root = useRouteLoaderData('root') as { csrf?: string } | undefined
  return <input type="hidden" name="csrf" value={root?.csrf ?? ''} />
}
