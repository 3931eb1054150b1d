CREATE TABLE "account_templates" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"username" text DEFAULT '' NOT NULL,
	"secret_type" text DEFAULT 'password' NOT NULL,
	"secret" text,
	"spec_info" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"privileged" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"comment" text DEFAULT '' NOT NULL,
	"org_id" uuid NOT NULL,
	"created_by" text DEFAULT '' NOT NULL,
	"date_created" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_by" text DEFAULT '' NOT NULL,
	"date_updated" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "account_templates_name_key" UNIQUE("org_id","name")
);
--> statement-breakpoint
ALTER TABLE "account_templates" ADD CONSTRAINT "account_templates_org_id_organizations_id_fk" FOREIGN KEY ("org_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_templates_name_trgm" ON "account_templates" USING gin ("name" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "account_templates_username_trgm" ON "account_templates" USING gin ("username" gin_trgm_ops);