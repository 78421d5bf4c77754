import { partnersAllowed, partnersFor } from '@cofre/local/partners'
import { stringify } from 'yaml'
import { chartServices } from './chart'
import { AUTHORITY_FILE, composeServices, PARTNER_URLS } from './compose'
import { serviceAlerts } from './monitoring'

const FROM = 'Made from the table of services by deploy/src; not edited.'

const yaml = (content: object) =>
  `# ${FROM}\n${stringify(content, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })}`
const json = (content: object) => `${JSON.stringify(content, null, 2)}\n`

/** Returns each file generated from the table of services and from `partners/`, by its path in the repository. */
export function generatedFiles(root: string): Record<string, string> {
  return {
    'deploy/compose/services.yml': yaml(composeServices()),
    'deploy/compose/partners.json': json(partnersFor(root, PARTNER_URLS, AUTHORITY_FILE)),
    'k8s/cofre/files/services.yaml': yaml(chartServices()),
    'k8s/cofre/files/partners.json': json(partnersAllowed(root)),
    'k8s/cofre/alerts/services.yaml': yaml(serviceAlerts()),
  }
}
