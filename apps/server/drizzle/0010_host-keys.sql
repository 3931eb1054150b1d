CREATE TABLE "host_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"asset_id" uuid NOT NULL,
	"address" text NOT NULL,
	"algorithm" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"state" text NOT NULL,
	"terminal_id" uuid,
	"org_id" uuid NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "host_keys_key_unique" UNIQUE("asset_id","address","fingerprint")
);
--> statement-breakpoint
ALTER TABLE "host_keys" ADD CONSTRAINT "host_keys_asset_id_assets_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."assets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "host_keys" ADD CONSTRAINT "host_keys_terminal_id_terminals_id_fk" FOREIGN KEY ("terminal_id") REFERENCES "public"."terminals"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "host_keys_accepted_unique" ON "host_keys" USING btree ("asset_id","address") WHERE "host_keys"."state" = 'accepted';--> statement-breakpoint
CREATE INDEX "host_keys_org_idx" ON "host_keys" USING btree ("org_id","date_created");