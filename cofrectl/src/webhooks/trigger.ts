import { Command } from 'commander'
import { parseId } from '../arguments'
import { openApi, withApiOptions } from './listen-api'
import type { Terminal } from '../terminal'

type Options = { url?: string; tokenFile?: string; endpoint?: number }

export function triggerCommand(terminal: Terminal): Command {
  const command = new Command('trigger')
    .description('sends a sample of an event to a seller’s endpoints and listeners')
    .argument('<type>', 'the event type, such as charge.captured')
    .option('--endpoint <id>', 'send to this endpoint only, whatever it subscribes to', parseId)
    .addHelpText(
      'after',
      `
The token needs webhooks:write. The sample changes no charge and no other resource. It has ids that do not exist
(0, TEST), a webhook-id that begins with evt_test_, the header webhook-test: true and "test": true in its body.
Enabled endpoints and listeners that subscribe to the type get it.

Example:
  cofrectl trigger charge.captured`,
    )
  return withApiOptions(command).action(async (type: string, options: Options) => {
    const api = openApi(options, terminal)
    const body = { type, ...(options.endpoint === undefined ? {} : { endpointId: options.endpoint }) }
    const sent = (await api.call('POST', '/api/v2/webhooks/test-events', body)) as {
      webhookId: string
      receivers: number
    }
    const { json } = command.optsWithGlobals<{ json?: boolean }>()
    const words = `Sent ${type} as ${sent.webhookId} to ${sent.receivers} receiver${sent.receivers === 1 ? '' : 's'}.\n`
    terminal.output.write(json ? `${JSON.stringify(sent)}\n` : words)
  })
}
