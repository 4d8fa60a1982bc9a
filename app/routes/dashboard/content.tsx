import { Outlet } from 'react-router'
import { ErrorPage, refusalIn } from '#app/ui/frame/error-page.tsx'
import type { Route } from './+types/content'

/** The title of an error; other pages have their own. */
export const meta: Route.MetaFunction = ({ error }) =>
  error ? [{ title: `${refusalIn(error).title} · Rúbrica` }] : []

/** Shows errors of pages inside the menus. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} home="/dashboard" />
}

export default Outlet
