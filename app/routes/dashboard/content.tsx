import { Outlet } from 'react-router'
import { ErrorPage } from '#app/ui/error-page.tsx'
import type { Route } from './+types/content'

/** Catches what a page refuses, so that the menus stay around it. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorPage error={error} home="/dashboard" />
}

export default Outlet
