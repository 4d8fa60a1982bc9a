import { Outlet } from 'react-router'
import { requireAction } from './require-action.ts'

/** For pages that decide what is checked for each act. */
export const middleware = [requireAction('checklists.manage')]

/** Returns nothing. Without a loader, client navigation would skip the middleware. */
export function loader() {
  return null
}

export default Outlet
