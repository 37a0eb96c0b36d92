import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

export interface CalledTool {
  readonly isError: boolean;
  readonly text: string;
  readonly value: Record<string, unknown>;
}

/** The official client, connected with a key. */
export class McpCaller {
  private constructor(readonly client: Client) {}

  static async connect(url: string, key: string, headers: Readonly<Record<string, string>> = {}): Promise<McpCaller> {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key}`, ...headers } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    return new McpCaller(client);
  }

  async call(name: string, given: Readonly<Record<string, unknown>> = {}): Promise<CalledTool> {
    const answer = await this.client.callTool({ name, arguments: given });
    const [content] = answer.content as { readonly type: string; readonly text: string }[];
    const text = content?.text ?? '';
    return { isError: answer.isError === true, text, value: JSON.parse(text) as Record<string, unknown> };
  }

  async toolNames(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
