import { Outlet } from 'react-router'
import { ErrorPage, refusalIn } from '#app/ui/frame/error-page.tsx'
import type { Route } from './+types/content'

/** Of a refusal; a page that opens has its own title. */
export const meta: Route.MetaFunction = ({ error }) =>
  error ? [{ title: `${refusalIn(error).title} · Rúbrica` }] : []

/** Catches what a page refuses, so that the menus stay around it. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} home="/dashboard" />
}

export default Outlet
