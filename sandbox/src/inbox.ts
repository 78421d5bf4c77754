const MESSAGES_MAX = 1_000
const NAMES_MAX = 1_000
const REPLIES_MAX = 100

export type Message = { method: string; headers: Record<string, unknown>; body: string; receivedAt: number }

/** How the receiver answers its next `times` messages. */
export type Reply = { status: number; times: number; delayMs: number }

type Box = { messages: Message[]; replies: Reply[] }

/** Receivers of notifications, by name. A name exists from its first use. */
export class Inbox {
  private readonly boxes = new Map<string, Box>()

  /** Stores the message and returns its answer. */
  receive(name: string, message: Message): { status: number; delayMs: number } {
    const box = this.box(name)
    box.messages.push(message)
    if (box.messages.length > MESSAGES_MAX) box.messages.shift()
    const reply = box.replies[0]
    if (!reply) return { status: 200, delayMs: 0 }
    reply.times -= 1
    if (reply.times === 0) box.replies.shift()
    return reply
  }

  list(name: string): readonly Message[] {
    return this.boxes.get(name)?.messages ?? []
  }

  /** Adds a reply. Returns false when too many are waiting. */
  replyNext(name: string, reply: Reply): boolean {
    const { replies } = this.box(name)
    if (replies.length >= REPLIES_MAX) return false
    replies.push({ ...reply })
    return true
  }

  /** Deletes the messages and the waiting replies. */
  empty(name: string): void {
    this.boxes.delete(name)
  }

  names(): { name: string; messages: number }[] {
    return [...this.boxes].map(([name, { messages }]) => ({ name, messages: messages.length }))
  }

  private box(name: string): Box {
    const known = this.boxes.get(name)
    if (known) return known
    const oldest = this.boxes.keys().next().value
    if (this.boxes.size >= NAMES_MAX && oldest !== undefined) this.boxes.delete(oldest)
    const box: Box = { messages: [], replies: [] }
    this.boxes.set(name, box)
    return box
  }
}
